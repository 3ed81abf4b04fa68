/**
 * Networks behind nodes: which ones a node may have behind it at all (`reserved-networks.ts`), which routes a host takes
 * (`accept-routes.ts`), and through which node a packet goes (`choose-route.ts`). Coordinator and agent use the same
 * functions, so that what is explained is what happens.
 */
export { ACCEPT_ROUTES, type AcceptRoutes, DEFAULT_ACCEPT_ROUTES } from './accept-routes.ts';
export { chooseRoutes, type RouteOption, routeOptions } from './choose-route.ts';
export { networksClash, reservedProblem } from './reserved-networks.ts';
