/** Lays a drawing out beside the page, so that the page goes on answering while a large mesh finds its shape. */
import { type LayoutRequest, layOut } from './layout.ts';

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => {
  self.postMessage(layOut(data));
};
