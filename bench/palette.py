"""A plot with few colours, which is a third of the size."""
import io
import pathlib


def save(figure, path, dpi=110):
    from PIL import Image  # matplotlib needs it too
    whole = io.BytesIO()
    figure.savefig(whole, format="png", dpi=dpi)
    reduce(Image.open(whole), path)


def reduce(image, path):
    image.convert("RGB").quantize(48).save(pathlib.Path(path), optimize=True)
