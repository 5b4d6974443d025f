import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { InvalidReplay, type Replay, readReplay } from '@/entities/replay/readReplay'
import { takeDroppedFile } from '@/entities/upload/droppedFile'
import { sizeError } from '@/entities/upload/fileRules'
import { type FieldProps, FilePicker, useField, useRejection } from '@/forms'
import { toaster } from '@/ui/toaster'

/** A chosen replay. */
export interface ChosenReplay {
  file: File
  /** What it contains; null while it is read. */
  replay: Replay | null
}

type Props<Values extends FieldValues> = FieldProps<Values, ChosenReplay | null> & {
  limitMb: number
  onRead?: (replay: Replay) => void
  /** A file that was dropped on another page is taken. */
  takesDropped?: true
}

/** The replay of a submission. A file that cannot be used is not kept. */
export function ReplayField<Values extends FieldValues>(props: Props<Values>) {
  const { label, help, limitMb, onRead, takesDropped } = props
  const { value, change, error, disabled } = useField<Values, ChosenReplay | null>(props)
  const [rejected, reject] = useRejection(value)
  // The file that was chosen last: the content of an earlier one is ignored.
  const latest = useRef<File>(undefined)

  const discard = (text: string) => {
    change(null)
    reject(text, null)
  }

  const choose = async (file: File) => {
    latest.current = file
    const tooLarge = sizeError(file, limitMb)
    if (tooLarge) return discard(tooLarge)
    change({ file, replay: null })
    try {
      const content = new Uint8Array(await file.arrayBuffer())
      if (latest.current !== file) return
      const replay = readReplay(content, new Date())
      change({ file, replay })
      onRead?.(replay)
    } catch (error) {
      if (latest.current !== file) return
      if (error instanceof InvalidReplay) return discard(t`Invalid replay file format`)
      console.error(error)
      discard(t`Failed to process replay file`)
      toaster.error({ title: t`Failed to process replay file` })
    }
  }

  const takeDropped = useEffectEvent(() => {
    const file = takesDropped && takeDroppedFile()
    if (file) void choose(file)
  })
  useEffect(() => takeDropped(), [])

  const clear = () => {
    latest.current = undefined
    change(null)
  }

  return (
    <FilePicker
      label={label}
      help={help}
      accept=".lbReplay,text/plain,application/octet-stream"
      file={value?.file ?? null}
      error={rejected ?? error}
      rejected={rejected !== null}
      reading={value !== null && value.replay === null}
      disabled={disabled}
      onFile={choose}
      onClear={clear}
    />
  )
}
