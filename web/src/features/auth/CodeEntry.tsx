import { Field, Flex, PinInput, Stack, Text } from '@chakra-ui/react'
import { useEffect, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { useVerifyCodeMutation } from '@/shared/api'
import { WithChakra } from '@/shared/chakra/WithChakra'
import { Button } from '@/shared/components/Button'
import { loggedIn } from '@/shared/session/sessionSlice'
import { refusalText } from './refusalText'

const LENGTH = 6
const SUBMIT_AFTER_MS = 300
const EMPTY: string[] = Array(LENGTH).fill('')

interface Props {
  sessionId: string
  onSuccess: () => void
  onRefused: () => void
}

// CodeEntry takes the six digits that the room's chat tells, and hands them in shortly after the last.
export default function CodeEntry({ sessionId, onSuccess, onRefused }: Props) {
  const dispatch = useDispatch()
  const [verify, { isLoading }] = useVerifyCodeMutation()
  const [digits, setDigits] = useState(EMPTY)
  const [problem, setProblem] = useState<string | null>(null)
  const group = useRef<HTMLDivElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const handingIn = useRef(false)

  useEffect(() => () => clearTimeout(timer.current), [])

  const handIn = async (code: string) => {
    clearTimeout(timer.current)
    if (handingIn.current) return
    handingIn.current = true
    setProblem(null)
    try {
      const { accessToken, player } = await verify({ codeEntry: { sessionId, code } }).unwrap()
      onSuccess()
      dispatch(loggedIn({ accessToken, user: player }))
    } catch (refusal) {
      setProblem(refusalText(refusal))
      setDigits(EMPTY)
      group.current?.querySelector('input')?.focus()
      onRefused()
    } finally {
      handingIn.current = false
    }
  }

  const change = (value: string[]) => {
    setDigits(value)
    clearTimeout(timer.current)
    const code = value.join('')
    if (/^[0-9]{6}$/.test(code)) timer.current = setTimeout(() => handIn(code), SUBMIT_AFTER_MS)
  }

  const code = digits.join('')
  return (
    <WithChakra>
      <form
        aria-label="Verification code"
        onSubmit={(event) => {
          event.preventDefault()
          if (code.length === LENGTH) void handIn(code)
        }}
      >
        <Stack gap="3" align="center">
          <Field.Root invalid={problem !== null} alignItems="center">
            <PinInput.Root
              otp
              autoFocus
              type="numeric"
              count={LENGTH}
              value={digits}
              size={{ base: 'lg', sm: 'xl' }}
              display="flex"
              flexDirection="column"
              alignItems="center"
              invalid={problem !== null}
              onValueChange={({ value }) => change(value)}
            >
              <PinInput.Label mb="2">Enter the 6-digit code</PinInput.Label>
              <PinInput.HiddenInput />
              <PinInput.Control ref={group}>
                <Flex gap={{ base: '1.5', sm: '2' }} justify="center">
                  {EMPTY.map((_, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a digit is nothing but its place
                    <PinInput.Input key={i} index={i} aria-label={`Digit ${i + 1} of ${LENGTH}`} bg="bg" />
                  ))}
                </Flex>
              </PinInput.Control>
            </PinInput.Root>
          </Field.Root>
          <Text role="alert" color="fg.error" minH="6">
            {problem}
          </Text>
          <Button type="submit" size="lg" busy={isLoading} disabled={code.length < LENGTH}>
            {isLoading ? 'Verifying…' : 'Verify'}
          </Button>
        </Stack>
      </form>
    </WithChakra>
  )
}
