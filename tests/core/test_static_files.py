"""Static files as production stores them: everything they name is there, under a hashed name."""

import re
from pathlib import Path

from django.contrib.staticfiles.finders import get_finders

from core.static_files import HashedModulesStorage


def test_styles_and_modules_name_each_other_by_hash(tmp_path: Path) -> None:
    storage = HashedModulesStorage(location=str(tmp_path), base_url="/static/")
    ours: dict[str, tuple[object, str]] = {}
    for finder in get_finders():
        for path, source in finder.list([]):
            if path.split("/")[0] in ("css", "js", "images"):
                storage.save(path, source.open(path))
                ours[path] = (source, path)
    problems = [result for _name, _hashed, result in storage.post_process(ours) if isinstance(result, Exception)]
    assert problems == []
    entry = (tmp_path / storage.stored_name("js/casebook.js")).read_text()
    assert re.search(r'import "\./unsaved\.[0-9a-f]{12}\.js"', entry)
    sheet = (tmp_path / storage.stored_name("css/casebook.css")).read_text()
    assert re.search(r'@import url\("tokens\.[0-9a-f]{12}\.css"\) layer\(tokens\)', sheet)
