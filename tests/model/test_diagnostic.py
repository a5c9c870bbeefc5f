from mentionable._model.diagnostic import Diagnostic, prefixed


def test_a_prefix_changes_nothing_but_the_pointer():
    before = Diagnostic(code="url-refused", at="/b", detail="why", temporary=True)
    assert prefixed([before, Diagnostic(code="url-refused")], "/parts/1") == [
        Diagnostic(code="url-refused", at="/parts/1/b", detail="why", temporary=True),
        Diagnostic(code="url-refused", at="/parts/1"),
    ]
