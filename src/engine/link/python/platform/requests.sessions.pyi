from requests import session
