import { Stack } from '@chakra-ui/react'
import { type ReactNode, useEffect } from 'react'
import { FormErrors } from './FormErrors'
import { SubmitButton } from './SubmitButton'
import type { useSubmission } from './useSubmission'

interface Props {
  label: string
  button: string
  endpoint: 'submitMap' | 'submitRecord'
  // Whether what was chosen is still being read.
  reading: boolean
  submission: ReturnType<typeof useSubmission>
  children: ReactNode
}

// SubmitForm is the frame of a form: what it holds, why it was not taken, and the button that sends it.
export function SubmitForm({ label, button, endpoint, reading, submission, children }: Props) {
  useHarmlessDrops()
  return (
    <form
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (!reading) void submission.submit()
      }}
    >
      <Stack gap="6">
        {children}
        <FormErrors problem={submission.problem} faults={submission.faults} />
        <SubmitButton endpoint={endpoint} reading={reading} sending={submission.sending}>
          {button}
        </SubmitButton>
      </Stack>
    </form>
  )
}

// useHarmlessDrops keeps a file that is dropped beside its field from being opened in the place of the page.
function useHarmlessDrops(): void {
  useEffect(() => {
    const stop = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    addEventListener('dragover', stop)
    addEventListener('drop', stop)
    return () => {
      removeEventListener('dragover', stop)
      removeEventListener('drop', stop)
    }
  }, [])
}
