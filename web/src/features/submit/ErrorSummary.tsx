import { useEffect, useRef } from 'react'
import { Alert, List, Text } from '@/ui'
import { AlertIcon } from '@/ui/icons'
import { PageLink } from '@/ui/PageLink'
import type { FormError } from './formErrors'
import type { NextStep } from './useSubmission'

interface Props {
  /** Changes with each refusal, which moves the focus to the summary. */
  refusalId: number
  errors: readonly FormError[]
  nextStep: NextStep | null
}

/** Lists why a form was not accepted, by its own rules or by the server's. */
export function ErrorSummary({ refusalId, errors, nextStep }: Props) {
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
