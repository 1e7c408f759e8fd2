"""The strict build of the project as it stands."""

from pathlib import Path

from tests.conftest import build


def test_two_builds_of_the_unbroken_copy_write_the_same_bytes(copied: Path, tmp_path: Path) -> None:
    sites = [tmp_path / "first", tmp_path / "second"]
    for site in sites:
        code, told = build(copied, site)
        assert code == 0, told
        assert "WARNING" not in told
    first, second = ({p.relative_to(site): p.read_bytes() for p in site.rglob("*") if p.is_file()} for site in sites)
    assert first.keys() == second.keys()
    different = {file.name for file, data in first.items() if second[file] != data}
    # Only the list of pages for search engines holds the day.
    assert different <= {"sitemap.xml", "sitemap.xml.gz"}
