from flask.testing import FlaskClient

class Flask:
    def test_client(self) -> FlaskClient: ...
