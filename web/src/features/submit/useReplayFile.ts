import { useEffect, useRef, useState } from 'react'
import { readReplayFile } from '@/features/replay/readReplayFile'
import type { ReplayInfo } from '@/features/replay/replayInfo'
import { toaster } from '@/shared/components/toaster'
import { tooLarge } from '@/shared/lib/fileRules'

interface Chosen {
  file: File | null
  replay: ReplayInfo | null
  problem: string | null
  reading: boolean
}

const NOTHING: Chosen = { file: null, replay: null, problem: null, reading: false }

// useReplayFile keeps the replay that was chosen and what it says. A file that cannot be used is not kept, and one that
// nobody waits for any more is not read to its end.
export function useReplayFile(limitMb: number, onRead?: (replay: ReplayInfo) => void) {
  const [chosen, setChosen] = useState(NOTHING)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const choose = async (file: File) => {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    const problem = tooLarge(file, limitMb)
    if (problem) {
      setChosen({ ...NOTHING, problem })
      return
    }
    setChosen({ ...NOTHING, file, reading: true })
    try {
      const reading = await readReplayFile(file, signal)
      if (signal.aborted) return
      if ('invalid' in reading) {
        setChosen({ ...NOTHING, problem: 'Invalid replay file format' })
        return
      }
      setChosen({ ...NOTHING, file, replay: reading.replay })
      onRead?.(reading.replay)
    } catch (error) {
      if (signal.aborted) return
      console.error(error)
      setChosen({ ...NOTHING, problem: 'Failed to process replay file' })
      toaster.error({ title: 'Failed to process replay file' })
    }
  }

  const clear = () => {
    running.current?.abort()
    setChosen(NOTHING)
  }

  return { ...chosen, choose, clear }
}
