import { afterEach, describe, expect, it, vi } from 'vitest'
import { aReplay } from '@/test/replays'
import { readReplayFile } from './readReplayFile'
import type { Reading } from './replayInfo'

// A worker that answers as a test wants.
function standIn(answer: (worker: { onmessage: (e: object) => void; onerror: (e: object) => void }) => void) {
  const terminate = vi.fn()
  vi.stubGlobal(
    'Worker',
    class {
      onmessage = () => {}
      onerror = () => {}
      terminate = terminate
      postMessage() {
        queueMicrotask(() => answer(this))
      }
    },
  )
  return terminate
}

const patience = new AbortController().signal

afterEach(() => vi.unstubAllGlobals())

describe('a replay file', () => {
  it('is read in a worker, which ends with it', async () => {
    const reading: Reading = { invalid: 'not_text in line 0' }
    const terminate = standIn((worker) => worker.onmessage({ data: reading }))
    expect(await readReplayFile(aReplay(), patience)).toEqual(reading)
    expect(terminate).toHaveBeenCalledOnce()
  })

  it('rejects where the worker fails', async () => {
    const terminate = standIn((worker) => worker.onerror({ message: 'It broke.' }))
    await expect(readReplayFile(aReplay(), patience)).rejects.toThrow('It broke.')
    expect(terminate).toHaveBeenCalledOnce()
  })

  it('is no longer read once nobody waits for it', async () => {
    const terminate = standIn(() => {})
    const waiting = new AbortController()
    const reading = readReplayFile(aReplay(), waiting.signal)
    waiting.abort()
    await expect(reading).rejects.toThrow()
    expect(terminate).toHaveBeenCalledOnce()
  })

  it('is read on the page where there are no workers', async () => {
    vi.stubGlobal('Worker', undefined)
    const reading = await readReplayFile(aReplay(), patience)
    expect(reading).toMatchObject({
      replay: { mapName: 'Skyline Run', finishTime: 41267, finishIsAmbiguous: false, disagreements: [] },
    })
    expect(await readReplayFile(new File(['no replay'], 'a'), patience)).toEqual({
      invalid: 'not_a_replay in line 0',
    })
  })
})
