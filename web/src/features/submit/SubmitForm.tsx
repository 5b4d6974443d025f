import { Progress } from '@chakra-ui/react'
import { type ReactNode, useEffect } from 'react'
import { Button, Stack } from '@/ui'
import { ErrorSummary } from './ErrorSummary'
import type { useSubmission } from './useSubmission'

interface Props {
  label: string
  button: string
  /** A chosen file is still being read. */
  reading: boolean
  submission: ReturnType<typeof useSubmission>
  children: ReactNode
}

/** A form with its fields, its errors, and the button that submits it. */
export function SubmitForm({ label, button, reading, submission, children }: Props) {
  const { submit, sending, errors, refusalId, nextStep } = submission
  useIgnoredDrops()
  return (
    <form
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        if (!reading) void submit()
      }}
    >
      <Stack gap="6">
        {children}
        <ErrorSummary refusalId={refusalId} errors={errors} nextStep={nextStep} />
        <Stack gap="3" align={{ base: 'stretch', md: 'flex-start' }}>
          <Button type="submit" size="lg" loading={sending} loadingText="Sending…" disabled={reading} minW="56">
            {button}
          </Button>
          {sending && (
            <Progress.Root value={null} aria-label="Sending" maxW="sm" w="full" size="sm">
              <Progress.Track>
                <Progress.Range />
              </Progress.Track>
            </Progress.Root>
          )}
        </Stack>
      </Stack>
    </form>
  )
}

/** Keeps a file that is dropped beside its field from replacing the page. */
function useIgnoredDrops(): void {
  useEffect(() => {
    const ignore = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    addEventListener('dragover', ignore)
    addEventListener('drop', ignore)
    return () => {
      removeEventListener('dragover', ignore)
      removeEventListener('drop', ignore)
    }
  }, [])
}
