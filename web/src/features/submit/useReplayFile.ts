import { useRef, useState } from 'react'
import { readReplayFile } from '@/features/replay/readReplayFile'
import type { ReplayInfo } from '@/features/replay/replayInfo'
import { toaster } from '@/shared/components/toaster'
import { tooLarge } from './fileRules'

interface Chosen {
  file: File | null
  replay: ReplayInfo | null
  problem: string | null
  reading: boolean
}

const NOTHING: Chosen = { file: null, replay: null, problem: null, reading: false }

// useReplayFile keeps the replay that was chosen and what it says. A file that cannot be used is not kept.
export function useReplayFile(limitMb: number, onRead?: (replay: ReplayInfo) => void) {
  const [chosen, setChosen] = useState(NOTHING)
  const latest = useRef(0)

  const choose = async (file: File) => {
    const turn = ++latest.current
    const show = (next: Partial<Chosen>) => turn === latest.current && setChosen({ ...NOTHING, ...next })
    const problem = tooLarge(file, limitMb)
    if (problem) {
      show({ problem })
      return
    }
    show({ file, reading: true })
    try {
      const reading = await readReplayFile(file)
      if ('invalid' in reading) {
        show({ problem: 'Invalid replay file format' })
      } else if (show({ file, replay: reading.replay }) !== false) {
        onRead?.(reading.replay)
      }
    } catch (error) {
      console.error(error)
      show({ problem: 'Failed to process replay file' })
      toaster.error({ title: 'Failed to process replay file' })
    }
  }

  const clear = () => {
    latest.current++
    setChosen(NOTHING)
  }

  return { ...chosen, choose, clear }
}
