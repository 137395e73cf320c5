# The bundle is built with Node and left behind with what built it.
FROM node:22-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

# So is the documentation.
FROM python:3.12-slim AS documentation
WORKDIR /app
COPY requirements-docs.txt constraints.txt ./
RUN pip install --no-cache-dir -r requirements-docs.txt -c constraints.txt
COPY . .
RUN sphinx-build --quiet --fail-on-warning -b dirhtml docs docs/site/help

FROM python:3.12-slim
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
WORKDIR /app
COPY requirements.txt constraints.txt ./
RUN pip install --no-cache-dir -r requirements.txt -c constraints.txt
COPY . .
COPY --from=bundle /app/static ./static
COPY --from=documentation /app/docs/site ./docs/site
RUN useradd --system --create-home brickstow \
    && mkdir -p /var/lib/brickstow && chown brickstow /var/lib/brickstow
USER brickstow
EXPOSE 8000
CMD ["gunicorn", "bricks.wsgi", "--config", "bricks/gunicorn.py"]
