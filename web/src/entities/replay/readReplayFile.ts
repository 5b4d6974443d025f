import type { Reading } from './replayInfo'

const PATIENCE_MS = 20_000

// readReplayFile reads a file in a worker of its own, which ends with it. The file stays in this browser. It rejects where
// the file could not be read at all, and when the signal ends the reading.
export function readReplayFile(file: File, signal: AbortSignal): Promise<Reading> {
  if (typeof Worker === 'undefined') return readHere(file)
  return new Promise<Reading>((resolve, reject) => {
    const worker = new Worker(new URL('./replay.worker.ts', import.meta.url), { type: 'module' })
    const timer = setTimeout(() => finish(() => reject(new Error('The replay took too long to read.'))), PATIENCE_MS)
    const finish = (settle: () => void) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      worker.terminate()
      settle()
    }
    const stop = () => finish(() => reject(signal.reason))
    signal.addEventListener('abort', stop)
    worker.onmessage = ({ data }: MessageEvent<Reading>) => finish(() => resolve(data))
    worker.onerror = (event) => finish(() => reject(new Error(event.message || 'The reader did not start.')))
    worker.postMessage(file)
  })
}

async function readHere(file: File): Promise<Reading> {
  const { readInfo } = await import('./replayInfo')
  return readInfo(new Uint8Array(await file.arrayBuffer()))
}
