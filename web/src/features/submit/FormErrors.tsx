import { Alert, List } from '@chakra-ui/react'
import { type Ref, useEffect, useRef } from 'react'
import { TextLink } from '@/shared/components/TextLink'
import type { SubmitProblem } from './problems'

const TITLE = 'Please fix the following errors'

interface Props {
  problem: SubmitProblem | null
  // Those of the problem's messages that still hold.
  faults: string[]
}

// FormErrors lists why a form was not taken, by its own rules or by the server's. It takes the focus when a form is
// refused.
export function FormErrors({ problem, faults }: Props) {
  const box: Ref<HTMLDivElement> = useRef(null)
  useEffect(() => {
    if (problem) box.current?.focus()
  }, [problem])
  if (!problem || faults.length === 0) return null
  return (
    <Alert.Root status="error" role="alert" ref={box} tabIndex={-1}>
      <Alert.Indicator />
      <Alert.Content>
        <Alert.Title>{TITLE}</Alert.Title>
        <Alert.Description>
          <List.Root ps="5">
            {faults.map((message) => (
              <List.Item key={message}>{message}</List.Item>
            ))}
          </List.Root>
          {problem.wayOn && (
            <TextLink to={problem.wayOn.to} look="underlined">
              {problem.wayOn.label}
            </TextLink>
          )}
        </Alert.Description>
      </Alert.Content>
    </Alert.Root>
  )
}
