/** Where the dashboard starts. Read `app.tsx` next, then `features/features.ts`. */
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './main.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element #root');

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Dialogs keep the page behind them from scrolling by a style element of another library, which looks for the nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

createRoot(root).render(
  <StrictMode>
    <App nonce={nonce} />
  </StrictMode>,
);
