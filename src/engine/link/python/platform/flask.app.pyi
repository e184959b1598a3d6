from flask import Flask
