"""Parts that an answer may have, and what of them A2A carries."""

from base64 import b64decode
from hashlib import sha256

from hypothesis import strategies as st

from mentionable import ArtifactPart, CarriedPolicy, DigestRef, FilePart, InlineRef, TextPart, ToolCallPart, replace
from mentionable._model.parts import inline
from mentionable._text.media import file_name
from mentionable._text.plain_text import clean
from mentionable.testing import strategies


@st.composite
def sendable(draw):
    """Parts without a policy, and the bytes of those that are named by a digest alone."""
    drawn = draw(st.lists(strategies.parts(), max_size=4, unique_by=_call_id))
    blobs = {}
    parts = []
    for part in drawn:
        if isinstance(part, CarriedPolicy):
            continue
        if isinstance(part, (FilePart, ArtifactPart)):
            reference = part.bytes_ref
            if isinstance(reference, DigestRef) and reference.url is None:
                data = draw(st.binary(max_size=9))
                reference = DigestRef(digest=sha256(data).hexdigest())
                blobs[reference.digest] = data
            if isinstance(part, ArtifactPart) and draw(st.booleans()):
                data = draw(
                    st.sampled_from([b'{"a":1}', b"[1.0]", b'{"data":{}}', b'{"toolCallId":"c"}', b"null", b"{"])
                )
                reference = inline(data)
                part = replace(part, artifact_type="a2a.data", mime="application/json")
            part = replace(part, bytes_ref=reference)
        parts.append(part)
    return tuple(parts), blobs


def _call_id(part):
    return part.id if isinstance(part, ToolCallPart) else object()


def canonical(part, blobs, *, sets_apart):
    """A part as A2A can carry it: text in canonical form, safe names, true sizes, no unknown members inside.

    `sets_apart`: whether the reader can keep bytes beside the message.
    """
    if isinstance(part, TextPart):
        return replace(part, content=clean(part.content))
    if isinstance(part, ToolCallPart) and part.error is not None:
        return replace(part, error=replace(part.error, extra={}))
    if not isinstance(part, (FilePart, ArtifactPart)):
        return part
    reference = replace(part.bytes_ref, extra={})
    data = None
    if isinstance(reference, InlineRef):
        data = b64decode(reference.data_base64)
    elif isinstance(reference, DigestRef) and reference.url is None:
        data = blobs[reference.digest]
        reference = reference if sets_apart else inline(data)
    part = replace(part, bytes_ref=reference, name=file_name(part.name or ""))
    if isinstance(part, FilePart) and data is not None and part.size_bytes is not None:
        part = replace(part, size_bytes=len(data))
    return part
