import { finishIsAmbiguous } from './mapString'
import { type Replay, readReplay } from './readReplay'
import { ReplayError } from './replayError'

// ReplayInfo is what the pages need of a replay. It is small enough to be sent between threads.
export interface ReplayInfo extends Omit<Replay, 'map' | 'unknown' | 'playerSkin'> {
  finishIsAmbiguous: boolean
}

// Reading is what came of a file: a replay, or why it is none.
export type Reading = { replay: ReplayInfo } | { invalid: string }

export function readInfo(file: Uint8Array): Reading {
  try {
    const { map, unknown: _, playerSkin: __, ...replay } = readReplay(file, new Date())
    return { replay: { ...replay, finishIsAmbiguous: map !== null && finishIsAmbiguous(map) } }
  } catch (error) {
    if (error instanceof ReplayError) return { invalid: error.message }
    throw error
  }
}
