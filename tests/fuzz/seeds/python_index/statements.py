def f[T: int](x: T, *a, y=1 if 2 else 3, **k) -> None:
	match x:
		case {"a": [1, *rest]} | Point(x=0) if x: yield from rest
		case _: raise E from None
async def g():
    async with a() as b, c: await b.d(lambda q: q.e)
try:
    del x
except* (A, B) as e: nonlocal z
else: pass
finally: f(f"{x!r:>{y}}", b"\x00", r"\d")
type X = list[X]
