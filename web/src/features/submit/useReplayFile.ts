import { useRef, useState } from 'react'
import { InvalidReplay, type Replay, readReplay } from '@/entities/replay/readReplay'
import { sizeError } from '@/entities/upload/fileRules'
import { toaster } from '@/ui/toaster'

interface Chosen {
  file: File | null
  replay: Replay | null
  error: string | null
  reading: boolean
}

const NOTHING: Chosen = { file: null, replay: null, error: null, reading: false }

/** The chosen replay and what it contains. An unusable file is not kept. */
export function useReplayFile(limitMb: number, onRead?: (replay: Replay) => void) {
  const [chosen, setChosen] = useState(NOTHING)
  // The file that was chosen last: the content of an earlier one is ignored.
  const latest = useRef<File>(undefined)

  const choose = async (file: File) => {
    latest.current = file
    const error = sizeError(file, limitMb)
    setChosen(error ? { ...NOTHING, error } : { ...NOTHING, file, reading: true })
    if (error) return
    try {
      const content = new Uint8Array(await file.arrayBuffer())
      if (latest.current !== file) return
      const replay = readReplay(content, new Date())
      setChosen({ ...NOTHING, file, replay })
      onRead?.(replay)
    } catch (error) {
      if (latest.current !== file) return
      if (error instanceof InvalidReplay) {
        setChosen({ ...NOTHING, error: 'Invalid replay file format' })
        return
      }
      console.error(error)
      setChosen({ ...NOTHING, error: 'Failed to process replay file' })
      toaster.error({ title: 'Failed to process replay file' })
    }
  }

  const clear = () => {
    latest.current = undefined
    setChosen(NOTHING)
  }

  return { ...chosen, choose, clear }
}
