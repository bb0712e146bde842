"""Routes of the service, one module for each group, in the order of the API page."""

from tacit.server.routes import analysis, collections, compatible_apis, jobs, map, queries, status

ROUTERS = [group.router for group in (queries, collections, jobs, analysis, map, compatible_apis, status)]
