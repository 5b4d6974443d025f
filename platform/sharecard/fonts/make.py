"""Makes the fonts beside this file from the packages of web/: python3 make.py ../../../web/node_modules

Needs fontTools and brotli. Each font is one weight of a family of the site, with its Latin and its extended Latin
letters and without hints. The names inside are the project's own, because the license of Saira reserves its name.
"""

import sys

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

FAMILIES = {
    "headings": ("@fontsource/saira-semi-condensed/files/saira-semi-condensed-{}-700-normal.woff2", None),
    "words": ("@fontsource-variable/figtree/files/figtree-{}-wght-normal.woff2", 600),
}


def part(source, weight, out):
    font = TTFont(source)
    font.flavor = None
    if weight:
        font = instancer.instantiateVariableFont(font, {"wght": weight})
    for table in ("GSUB", "GDEF", "STAT"):
        if table in font:
            del font[table]
    font.save(out)
    return out


for name, (source, weight) in FAMILIES.items():
    parts = [
        part(f"{sys.argv[1]}/{source.format(letters)}", weight, f"/tmp/{name}-{letters}.ttf")
        for letters in ("latin", "latin-ext")
    ]
    font = Merger().merge(parts)
    options = subset.Options(layout_features=["kern"], hinting=False, notdef_outline=True, name_IDs=[0])
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    for name_id, text in ((1, f"Capzone {name}"), (2, "Regular"), (4, f"Capzone {name}"), (6, f"Capzone-{name}")):
        font["name"].setName(text, name_id, 3, 1, 0x409)
    font.save(f"{name}.ttf")
