"""A QR code's path, drawn again as cells, is what the encoder made, with light cells around."""

import re

import segno

from nova_ui.domain.qr_code import QUIET, qr_code_of


def test_the_path_draws_every_dark_cell_and_no_other() -> None:
    text = "otpauth://totp/Nova:ada?issuer=Nova&digits=6"  # with less correction it would be smaller
    code = qr_code_of(text)
    drawn = {
        (int(x) + step, int(y))
        for x, y, length in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code.path)
        for step in range(int(length))
    }
    matrix = [[bool(cell) for cell in row] for row in segno.make_qr(text, error="m").matrix]

    assert code.size == len(matrix) + 2 * QUIET
    assert drawn == {(x + QUIET, y + QUIET) for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark}
    assert re.sub(r"M\d+ \d+h(\d+)v1h-\1z", "", code.path) == ""
