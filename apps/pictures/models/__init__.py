from apps.pictures.models.render import Render

__all__ = ["Render"]
