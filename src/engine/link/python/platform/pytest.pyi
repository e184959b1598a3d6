from typing import Any, Callable, ContextManager, overload

class ExceptionInfo[E]:
    value: E

@overload
def raises[E = BaseException](expected_exception: type[E] | tuple[type[E], ...], **options: Any) -> ContextManager[ExceptionInfo[E]]: ...
@overload
def raises[E = BaseException](expected_exception: type[E] | tuple[type[E], ...], func: Callable[..., Any], *args: Any, **kwargs: Any) -> ExceptionInfo[E]: ...
