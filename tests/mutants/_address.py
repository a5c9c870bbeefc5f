"""Mutants of addresses: what goes in is mended before, or what comes out is spoiled after."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tests.mutants import mutant

if TYPE_CHECKING:
    from tests.mutants import Perform

Answer = "Mapping[str, Any]"


@mutant("address", "Keeps the case of an ASCII domain.")
def keeps_domain_case(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    host = unit["text"].rpartition("@")[2]
    return (
        {"value": answer["value"].rpartition("@")[0] + "@" + host} if "value" in answer and host.isascii() else answer
    )


@mutant("address", "Folds the local part to lower case.")
def folds_local_part(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": unit["text"].lower()})


@mutant("address", "Cuts plus tags off.")
def cuts_plus_tags(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": re.sub(r"(?<=\w)\+\w+(?=@)", "", unit["text"])})


@mutant("address", "Takes a host of one label.")
def takes_one_label(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    host = unit["text"].rpartition("@")[2]
    return {"value": unit["text"]} if "rejected" in answer and host.isalpha() else answer


@mutant("address", "Splits at the last @ and keeps what stands before it.")
def splits_at_last_at(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    local, _, host = unit["text"].rpartition("@")
    return {"value": f"@{local.lstrip('@')}@{host}"} if local.lstrip("@").count("@") else honest(op, given, unit)


@mutant("address", "Shows Unicode domains instead of their A-labels.")
def keeps_unicode_domain(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": "@" + unit["text"].lstrip("@").lower()} if "xn--" in str(answer.get("value")) else answer


@mutant("address", "Knows no bound on lengths.")
def knows_no_length(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": "@" + unit["text"]} if "rejected" in answer and len(unit["text"]) > 64 else answer


@mutant("address", "Takes blanks and line breaks out first.")
def strips_blanks(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": re.sub(r"\s+.*", "", unit["text"].replace(" @", "@"))})


@mutant("address", "Takes IP addresses for domains.")
def takes_ip_addresses(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": "@" + unit["text"]} if "192.0.2.1" in unit["text"] else answer


@mutant("address", "Reads the host out of a URL-like tail.")
def reads_host_of_url(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": re.sub(r"(?<=example)[:/].*", "", unit["text"])})


@mutant("address", "Knows acct: in lower case only.")
def knows_lower_acct_only(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return {"rejected": {"code": "malformed"}} if unit["text"].startswith("ACCT") else honest(op, given, unit)


@mutant("address", "Takes any characters in a local part that have no blank.")
def takes_any_local_part(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    text = unit["text"]
    answer = honest(op, given, unit)
    lax = (
        "rejected" in answer and re.fullmatch(r"@?[^@\s\"]{1,20}@agents\.example", text) and ".." in text + "älice"[:0]
    )
    return {"value": "@" + text.lstrip("@")} if lax or "ä" in text else answer


@mutant("address", "Mends dots in a local part.")
def mends_dots(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    local, at, host = unit["text"].rpartition("@")
    mark = "@" if local.startswith("@") else ""
    return honest(op, given, {"text": mark + local.removeprefix("@").strip(".") + at + host})


@mutant("address", "Reads a look-alike of @ as one.")
def reads_look_alikes(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": unit["text"].replace("＠", "@")})


@mutant("address", "Leaves a final dot on the domain.")
def leaves_final_dot(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return {"value": "@" + unit["text"]} if unit["text"].endswith(".") else honest(op, given, unit)


@mutant("address", "Drops a port or a mark from an address with a name.")
def reads_display_names(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    found = re.search(r"<(.+)>", unit["text"])
    return honest(op, given, {"text": found[1] if found else unit["text"]})


@mutant("address", "Leaves a percent sign of a mailbox as it is.")
def leaves_percent_signs(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    return {"value": answer["value"].replace("%25", "%")} if "value" in answer else answer


@mutant("address", "Takes a percent sign of a mailbox for an escape.")
def decodes_mailboxes(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    text = unit["text"]
    is_mailbox = not text.startswith(("@", "acct:"))
    return honest(op, given, {"text": unquote(text) if is_mailbox else text})


@mutant("address", "Takes more than one spelling of a percent-encoded local part.")
def decodes_any_spelling(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    mark, local, domain = re.fullmatch(r"(@|acct:|)(.*?)(@[^@]*|)", unit["text"], re.DOTALL).groups()
    decoded = unquote(local)
    if "rejected" not in answer or not mark or not decoded.isprintable() or decoded == local:
        return answer
    return honest(op, given, {"text": decoded + domain})


@mutant("address", "Brings local parts into Unicode's composed form.")
def normalises_local_parts(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    return honest(op, given, {"text": unicodedata.normalize("NFC", unit["text"])})


@mutant("address", "Takes quotes for a part of the local part.")
def keeps_quotes(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    answer = honest(op, given, unit)
    is_plain = unit["text"].startswith('"john.doe"')
    return {"value": answer["value"].replace("@john.doe@", "@%22john.doe%22@")} if is_plain else answer


@mutant("address", "Takes no domain with an underscore.")
def knows_no_underscores(honest: Perform, op: str, given: dict[str, Any], unit: Any) -> Answer:
    has_one = "_" in unit["text"].rpartition("@")[2]
    return {"rejected": {"code": "malformed"}} if has_one else honest(op, given, unit)
