import httpx
from kit import Client as C, Timeout


def fetch(url, *, retries=3):
    """Fetches a page.

    >>> fetch("https://example.org")
    """
    base = "https://example.org"
    with C(base_url=base) as client:
        for attempt in range(retries):
            reply = client.get(url, timeout=Timeout(5))
            print(f"{reply.status_code}", attempt)
    return [httpx.get(u) for u in (url, base)]
