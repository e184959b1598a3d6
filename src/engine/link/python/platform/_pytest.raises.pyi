from pytest import raises
