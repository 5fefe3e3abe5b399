"""Where a run happened, in words."""


def version(decision):
    return str(decision.provenance.get("version") or "")


def machine(decision):
    """The GPU when one was named, else the machine, with a note that no GPU took part."""
    facts = decision.provenance
    if facts.get("gpu"):
        return f"GPU {facts['gpu']}"
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
