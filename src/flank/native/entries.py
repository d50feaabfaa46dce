"""One C function for a kernel and the types of its arguments, made by Numba and LLVM.

Python text is written for each,

    def entry(base):
        words = view(base, count, integers)            # the row that `library.Entry` fills
        floats = view(base, count, doubles)
        a8 = view(words[8], (words[9], words[10]), ...)  # an array: address and shape
        result = kernel(Model(a8, ..., floats[30], words[31] != 0, None), ...)
        words[0] = result

and compiled without a Python entry, without reference counts: what remains calls libm and nothing
else. A view has the type of NumPy's own arrays, so the kernel is compiled as for a call from
Python.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from flank.kernel import Kernel
from flank.native.compiling import OPTIONS
from flank.native.library import RESULTS, key_of

LETTERS = {types.Float: "f", types.Integer: "i", types.Boolean: "b"}


class Function(NamedTuple):
    """A function of the library: its name there, its code before machine code, what it returns."""

    symbol: str
    module: llvm.ModuleRef
    results: str


def make_function(kernel: Kernel, types_word: str, arguments: tuple[Any, ...]) -> Function:
    """Compile a kernel for arguments like these, with an entry of one pointer."""
    returned = _returned(kernel, arguments)
    entry = _Entry(kernel)
    source = entry.source(arguments, returned)
    names = entry.names
    exec(source, names)
    compiled = numba.njit(no_cpython_wrapper=True, **OPTIONS)(names["entry"])
    compiled.compile((types.voidptr,))
    (result,) = compiled.overloads.values()
    digest = hashlib.sha256(key_of(kernel.name, types_word).encode()).hexdigest()
    symbol = f"flank_{kernel.py_func.__name__.strip('_')}_{digest[:12]}"
    module = llvm.parse_bitcode(result.library._final_module.as_bitcode())
    _hide_all_but(module, result.fndesc.llvm_func_name, symbol)
    return Function(symbol, module, returned)


def _returned(kernel: Kernel, arguments: tuple[Any, ...]) -> str:
    """Letters of what a kernel returns; a bracket in front of several."""
    given = tuple(numba.typeof(value) for value in arguments)
    kernel.dispatcher.compile(given)  # which it mostly is
    made = kernel.dispatcher.overloads[given].signature.return_type
    if made == types.none:
        return ""
    if hasattr(made, "count"):
        return "(" + "".join(_letter(member) for member in made)
    return _letter(made)


def _letter(made: types.Type) -> str:
    return next(letter for kind, letter in LETTERS.items() if isinstance(made, kind))


class _Entry:
    """Writes the text of one entry."""

    def __init__(self, kernel: Kernel) -> None:
        self.names: dict[str, Any] = {"kernel": kernel, "view": _view}
        self.names |= {"integers": np.dtype(np.int64), "doubles": np.dtype(np.float64)}
        self._lines: list[str] = []
        self._next = RESULTS

    def source(self, arguments: tuple[Any, ...], returned: str) -> str:
        listed = ", ".join(self._expression(value) for value in arguments)
        lines = ["def entry(base):"]
        lines += [f"    words = view(base, ({self._next},), integers)"]
        lines += [f"    floats = view(base, ({self._next},), doubles)"]
        lines += [*self._lines, f"    result = kernel({listed})"]
        many, letters = returned.startswith("("), returned.lstrip("(")
        for k, letter in enumerate(letters):
            value = f"result[{k}]" if many else "result"
            lines.append(f"    {'floats' if letter == 'f' else 'words'}[{k}] = {value}")
        return "\n".join([*lines, "    return 0"])

    def _expression(self, value: Any) -> str:
        """As `arguments.described` puts it into the row."""
        if value is None:
            return "None"
        if isinstance(value, tuple):
            members = "".join(f"{self._expression(member)}, " for member in value)
            if not hasattr(value, "_fields"):
                return f"({members})"
            name = type(value).__name__
            self.names[name] = type(value)
            return f"{name}({members})"
        place = self._next
        if isinstance(value, np.ndarray):
            self._next += 1 + value.ndim
            shape = "".join(f"words[{place + 1 + k}], " for k in range(value.ndim))
            return self._array(place, f"({shape})", value.dtype)
        self._next += 1
        if isinstance(value, np.void):
            return self._array(place, "(1,)", value.dtype) + "[0]"
        if isinstance(value, (bool, np.bool_)):
            return f"(words[{place}] != 0)"
        return f"floats[{place}]" if isinstance(value, float) else f"words[{place}]"

    def _array(self, place: int, shape: str, dtype: np.dtype[Any]) -> str:
        name, kind = f"a{place}", f"type{place}"
        self.names[kind] = dtype
        self._lines.append(f"    {name} = view(words[{place}], {shape}, {kind})")
        return name


@intrinsic  # type: ignore[untyped-decorator]
def _view(_context: Any, address: Any, shape: Any, dtype: Any) -> Any:
    """The array at an address, or at a pointer, of the type that NumPy's arrays have."""
    array = types.Array(dtype.dtype, len(shape), "C")

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        made = context.make_array(array)(context, builder)
        shapes = cgutils.unpack_tuple(builder, values[1])
        entry_type = context.get_data_type(array.dtype)
        size = context.get_constant(types.intp, context.get_abi_sizeof(entry_type))
        strides = [size]
        for count in shapes[:0:-1]:
            strides.insert(0, builder.mul(count, strides[0]))
        cast = builder.bitcast if address == types.voidptr else builder.inttoptr
        data = cast(values[0], made.data.type)
        populate_array(made, data, shapes, strides, itemsize=size, meminfo=None)
        return made._getvalue()

    return array(address, shape, dtype), generate


def _hide_all_but(module: llvm.ModuleRef, function: str, symbol: str) -> None:
    """Only the entry is seen from outside; modules of one library share no names."""
    for defined in module.functions:
        if defined.is_declaration:
            continue
        if defined.name == function:
            defined.name, defined.linkage = symbol, "external"
        else:
            defined.linkage = "internal"
    for constant in module.global_variables:
        if not constant.is_declaration:
            constant.linkage = "internal"
    module.verify()
