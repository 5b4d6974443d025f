import { useEffect, useRef, useState } from 'react'
import { readReplayFile } from '@/entities/replay/readReplayFile'
import type { ReplayInfo } from '@/entities/replay/replayInfo'
import { sizeError } from '@/entities/upload/fileRules'
import { toaster } from '@/ui/toaster'

interface Chosen {
  file: File | null
  replay: ReplayInfo | null
  error: string | null
  reading: boolean
}

const NOTHING: Chosen = { file: null, replay: null, error: null, reading: false }

/** The chosen replay and what it contains. An unusable file is not kept, and an abandoned one is not read further. */
export function useReplayFile(limitMb: number, onRead?: (replay: ReplayInfo) => void) {
  const [chosen, setChosen] = useState(NOTHING)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const choose = async (file: File) => {
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    const error = sizeError(file, limitMb)
    if (error) {
      setChosen({ ...NOTHING, error })
      return
    }
    setChosen({ ...NOTHING, file, reading: true })
    try {
      const reading = await readReplayFile(file, signal)
      if (signal.aborted) return
      if ('invalid' in reading) {
        setChosen({ ...NOTHING, error: 'Invalid replay file format' })
        return
      }
      setChosen({ ...NOTHING, file, replay: reading.replay })
      onRead?.(reading.replay)
    } catch (error) {
      if (signal.aborted) return
      console.error(error)
      setChosen({ ...NOTHING, error: 'Failed to process replay file' })
      toaster.error({ title: 'Failed to process replay file' })
    }
  }

  const clear = () => {
    running.current?.abort()
    setChosen(NOTHING)
  }

  return { ...chosen, choose, clear }
}
