import { Progress } from '@chakra-ui/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Alert, Button, List, Stack, Text } from '@/ui'
import { AlertIcon } from '@/ui/icons'
import { PageLink } from '@/ui/links'
import type { FormError } from './rules'
import type { NextStep, useSubmission } from './useSubmission'

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

interface SummaryProps {
  /** Changes with each refusal, which moves the focus to the summary. */
  refusalId: number
  errors: readonly FormError[]
  nextStep: NextStep | null
}

/** Lists why a form was not accepted, by its own rules or by the server's. */
function ErrorSummary({ refusalId, errors, nextStep }: SummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (refusalId > 0) box.current?.focus()
  }, [refusalId])
  if (errors.length === 0) return null
  return (
    <Alert.Root status="error" role="alert" ref={box} tabIndex={-1}>
      <Alert.Indicator>
        <AlertIcon />
      </Alert.Indicator>
      <Alert.Content>
        <Alert.Title>Please fix the following errors</Alert.Title>
        <Alert.Description>
          <List.Root ps="5">
            {errors.map(({ message }) => (
              <List.Item key={message}>{message}</List.Item>
            ))}
          </List.Root>
          {nextStep?.explanation && <Text my="2">{nextStep.explanation}</Text>}
          {nextStep && (
            <PageLink to={nextStep.to} variant="underline">
              {nextStep.label}
            </PageLink>
          )}
        </Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}
