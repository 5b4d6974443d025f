import { t } from '@lingui/core/macro'
import { useEffect, useId, useLayoutEffect, useRef } from 'react'
import { type FieldValues, useFormState } from 'react-hook-form'
import { Alert, Button, type Elements, Flex, List, Progress, Stack, Text } from '@/ui'
import { AlertIcon } from '@/ui/icons'
import { PageLink } from '@/ui/links'
import { messagesOf } from './errors'
import type { SiteForm } from './useForm'
import type { NextStep, useSubmit } from './useSubmit'

interface Props<Values extends FieldValues, Output> {
  form: SiteForm<Values, Output>
  submission: ReturnType<typeof useSubmit>
  label: string
  button: string
  /** It cannot be undone. */
  danger?: boolean
  /** A chosen file is still being read. */
  reading?: boolean
  /** Closes the form by a button beside the one that submits. */
  onCancel?: () => void
  children: Elements
}

/** A form with its fields, its errors, and the button that submits it. */
export function Form<Values extends FieldValues, Output>(props: Props<Values, Output>) {
  const { form, submission, label, button, danger, reading = false, onCancel, children } = props
  const { submit, sending, attempt, nextStep } = submission
  const { errors } = useFormState({ control: form.control })
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
        <ErrorSummary attempt={attempt} messages={messagesOf(errors)} nextStep={nextStep} />
        <Stack gap="3" align={{ base: 'stretch', md: 'flex-start' }}>
          <Flex direction={{ base: 'column', md: 'row' }} gap="3">
            <Button
              type="submit"
              size="lg"
              colorPalette={danger ? 'red' : undefined}
              loading={sending}
              loadingText={t`Sending…`}
              disabled={reading}
              minW="56"
            >
              {button}
            </Button>
            {onCancel && <Button variant="outline" size="lg" onClick={onCancel}>{t`Cancel`}</Button>}
          </Flex>
          {sending && (
            <Progress.Root colorPalette="gray" value={null} aria-label={t`Sending`} maxW="sm" w="full" size="sm">
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
  useLayoutEffect(() => {
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
  /** Changes after each attempt to send the form, which moves the focus to the summary. */
  attempt: number
  messages: readonly string[]
  nextStep: NextStep | null
}

/** Lists why a form was not accepted, by its own rules or by the server's. The focus announces it, and nothing else does. */
function ErrorSummary({ attempt, messages, nextStep }: SummaryProps) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => {
    if (attempt > 0) box.current?.focus()
  }, [attempt])
  if (messages.length === 0) return null
  return (
    <Alert.Root
      status="error"
      role="group"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}errors`}
      ref={box}
      tabIndex={-1}
    >
      <Alert.Indicator>
        <AlertIcon />
      </Alert.Indicator>
      <Alert.Content>
        <Alert.Title id={`${id}title`}>{t`Please fix the following errors`}</Alert.Title>
        <Alert.Description id={`${id}errors`}>
          <List.Root ps="5">
            {messages.map((message) => (
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
