// The API page: Swagger UI for the service's own OpenAPI document, all loaded from this host.
document.getElementById("base").textContent = `${location.origin}/v1`;
window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#operations",
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
});
