import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The panel serves what this builds; while one works on it, `vite` serves it and passes the API on to a panel. */
export default defineConfig({
  plugins: [react()],
  build: {
    target: 'es2023',
    // Those that know `light-dark()`: the stand-in for older ones would need to see where Mantine sets the scheme.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    sourcemap: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      // What three pages or more need is one file: a page that is opened asks for a few files, and not for sixty.
      output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 3 }] } },
      treeshake: { propertyReadSideEffects: false },
    },
  },
  server: { port: 7481, proxy: { '/api': 'http://127.0.0.1:7480', '/readyz': 'http://127.0.0.1:7480' } },
});
