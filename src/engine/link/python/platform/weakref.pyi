class ref[T]:
    def __new__[O](cls, o: O, callback: object = ..., /) -> ref[O]: ...

ReferenceType = ref
WeakMethod = ref
