from collections.abc import Awaitable
from typing import Annotated, Callable, ClassVar, Final, Optional, Union


class A(Union[()]):
    x: ClassVar[()] = 1
    y: Final[()] = 2

    def m(self, a: Optional[()], b: "Optional[]", c: Awaitable[()], d: Annotated[()], e: type[()]) -> Callable[()]:
        return a.m(b, *c, **d)


A().m(e=A.m(1, 2))
