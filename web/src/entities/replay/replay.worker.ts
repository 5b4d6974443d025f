import { readInfo } from './replayInfo'

// Reads one file beside the page, which stays responsive.
addEventListener('message', async ({ data }: MessageEvent<File>) => {
  postMessage(readInfo(new Uint8Array(await data.arrayBuffer())))
})

// An error inside the promise above would not reach the page.
addEventListener('unhandledrejection', ({ reason }) => {
  throw reason
})
