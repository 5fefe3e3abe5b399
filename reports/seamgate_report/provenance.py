"""Where a run happened, in words."""


def version(decision):
    return str(decision.provenance.get("version") or "")


def subject(library):
    """A library that is judged, in its author's words."""
    name = " ".join(part for part in (library.facts.get("library", ""), library.facts.get("version", "")) if part)
    return f"{library.path}: {library.label.partition(':')[2]}" + (f" of {name}" if name else "")


def names_a_gpu(provenance):
    """Whether the run names a GPU by its UUID (GPU-..., or MIG-... for a part of one)."""
    return str(provenance.get("gpu_uuid") or "").startswith(("GPU-", "MIG-"))


def machine(decision):
    """The GPU when one was asked for and is there, else the machine, with a note that no GPU took part."""
    facts = decision.provenance
    if "cuda" in decision.required_backends and names_a_gpu(facts):
        return f"GPU {facts.get('gpu', '')}".strip()
    return f"CPU only, {facts['machine']}" if facts.get("machine") else "CPU only"


def sources(provenance):
    """The identity of the sources: (commit, dirty, source hash)."""
    return provenance.get("commit"), provenance.get("dirty"), provenance.get("source_sha256")


def lines(provenance):
    """Every fact as (name, text), in the order in which the run wrote them."""
    result = []
    for name, value in provenance.items():
        if isinstance(value, (dict, list)):
            value = ", ".join(f"{key}={item}" for key, item in value.items()) if isinstance(value, dict) else \
                ", ".join(str(item) for item in value)
        result.append((name, str(value)))
    return result
