from typing import Any

class _SubParsersAction[P]:
    def add_parser(self, name: str, **options: Any) -> P: ...
