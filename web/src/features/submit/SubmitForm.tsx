import { Stack } from '@chakra-ui/react'
import type { ReactNode } from 'react'
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
