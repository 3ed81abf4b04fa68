/** Which address shows which page: those of the features inside the shell, and the few that need no session. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import type { Feature, FeaturePage } from './feature/feature.ts';
import { FEATURES } from './features/features.ts';
import { NotFound, PageFailed, PermittedPage } from './shell/fallback-pages.tsx';
import { SignedInShell } from './shell/signed-in-shell.tsx';

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: SignedInShell });

const inside = FEATURES.flatMap((feature) => (feature.pages ?? []).map((page) => routeOf(feature, page)));
const outside = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./entrance/sign-in-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/come-in',
    component: lazyRouteComponent(() => import('./entrance/come-in-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/setup',
    component: lazyRouteComponent(() => import('./entrance/setup-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./entrance/invitation-page.tsx')),
  }),
];
const anythingElse = createRoute({ getParentRoute: () => shell, path: '$', component: NotFound });

function routeOf(feature: Feature, { path, load }: FeaturePage) {
  const component = lazyRouteComponent(async () => {
    const { default: Content } = await load();
    const Permitted = () => (
      <PermittedPage feature={feature}>
        <Content />
      </PermittedPage>
    );
    return { default: Permitted };
  });
  return createRoute({ getParentRoute: () => shell, path, component });
}

/** Every value in the address is the text it looks like: `?q=123` is not a number here. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null) params.set(name, String(value));
  }
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  routeTree: root.addChildren([shell.addChildren([...inside, anythingElse]), ...outside]),
  defaultPreload: 'intent',
  defaultErrorComponent: PageFailed,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
  parseSearch,
  stringifySearch,
});
