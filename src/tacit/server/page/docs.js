// The service's addresses, to be read and tried: Swagger UI over its own OpenAPI document, all from this host.
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
