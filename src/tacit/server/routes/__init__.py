"""Routes of the service, one module for each group, in the order of the API page."""

from tacit.server.routes import collections, compatible_apis, jobs, map, model_queries, search, status

ROUTERS = [group.router for group in (model_queries, search, collections, jobs, map, compatible_apis, status)]
