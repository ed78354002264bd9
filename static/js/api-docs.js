// Starts Swagger UI or Redoc on the page that holds a place for it.
const swagger = document.getElementById("swagger");
if (swagger) {
  SwaggerUIBundle({
    url: swagger.dataset.document,
    domNode: swagger,
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis],
  });
}
const redoc = document.getElementById("redoc");
if (redoc) {
  Redoc.init(redoc.dataset.document, {}, redoc);
}
