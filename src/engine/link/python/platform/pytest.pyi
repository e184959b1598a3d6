from typing import Any, Callable, ContextManager, TypeVar, overload

E = TypeVar("E", bound=BaseException, default=BaseException)

class ExceptionInfo[E]:
    value: E

@overload
def raises(expected_exception: type[E] | tuple[type[E], ...], **options: Any) -> ContextManager[ExceptionInfo[E]]: ...
@overload
def raises(expected_exception: type[E] | tuple[type[E], ...], func: Callable[..., Any], *args: Any, **kwargs: Any) -> ExceptionInfo[E]: ...
