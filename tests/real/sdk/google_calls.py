from concurrent.futures import ThreadPoolExecutor

from google import genai
from google.genai import errors, types
from pydantic import BaseModel

from cases import URL, case, each, main, raises, same

client = genai.Client(api_key="any", http_options={"base_url": URL, "timeout": 20_000})
DECLARATION = {
    "name": "get_weather",
    "description": "Reports the weather",
    "parameters": {"type": "OBJECT", "properties": {"city": {"type": "STRING"}}},
}
TOOLS = [{"function_declarations": [DECLARATION]}]


class Person(BaseModel):
    name: str
    age: int


def generate(contents, **config):
    answer = client.models.generate_content(model="gemini-x", contents=contents, config=config)
    return answer.candidates[0].content.parts, answer


def stream(contents, **config):
    chunks = list(client.models.generate_content_stream(model="gemini-x", contents=contents, config=config))
    parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts or []]
    return parts, chunks[-1]


WAYS = {"generate": generate, "stream": stream}


def text(parts):
    return "".join(part.text or "" for part in parts if not part.thought)


@each(*WAYS)
def says(way):
    parts, last = WAYS[way]("hello")
    same((text(parts), last.candidates[0].finish_reason), ("Hi there.", types.FinishReason.STOP))


@each(*WAYS)
def system_instruction(way):
    same(text(WAYS[way]("who are you", system_instruction="a pirate")[0]), "Arrr.")


@case
def chat_turns():
    talk = client.chats.create(model="gemini-x")
    same([talk.send_message(word).text for word in ["login", "ann google", "1234"]], ["Name?", "Password?", "Welcome."])


@case
def chat_turns_streamed():
    talk = client.chats.create(model="gemini-x")
    answers = []
    for word in ["login", "ann google streamed", "1234"]:
        answers.append("".join(chunk.text or "" for chunk in talk.send_message_stream(word)))
    same(answers, ["Name?", "Password?", "Welcome."])


def run_tools(prompt, way):
    contents, asked = [types.Content(role="user", parts=[types.Part(text=prompt)])], []
    for _ in range(5):
        parts, _last = WAYS[way](contents, tools=TOOLS)
        calls = [part.function_call for part in parts if part.function_call]
        asked.append([call.args["city"] for call in calls])
        if not calls:
            return asked, text(parts)
        results = [
            types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response={"output": "3"}))
            for call in calls
        ]
        contents += [types.Content(role="model", parts=parts), types.Content(role="user", parts=results)]


@each(*WAYS)
def one_tool(way):
    same(run_tools("weather", way), ([["Oslo"], []], "It is cold."))


@each(*WAYS)
def parallel_tools(way):
    same(run_tools("compare", way), ([["Oslo", "Rome"], []], "Rome is warmer."))


@case
def automatic_function_calling():
    def get_weather(city: str) -> str:
        """Reports the weather."""
        return "3 degrees in " + city

    answer = client.models.generate_content(model="gemini-x", contents="compare", config={"tools": [get_weather]})
    same(answer.text, "Rome is warmer.")


@each(*WAYS)
def thoughts(way):
    parts, _ = WAYS[way]("ponder", thinking_config={"include_thoughts": True})
    same([part.text for part in parts if part.thought], ["Step by step."])
    same(text(parts), "42.")


@case
def no_thoughts_unless_asked():
    same([part.thought for part in generate("ponder")[0]], [None])


@each(*WAYS)
def usage(way):
    used = WAYS[way]("count")[1].usage_metadata
    same((used.prompt_token_count, used.candidates_token_count, used.total_token_count), (11, 7, 18))


@each(*WAYS)
def finish_reasons(way):
    same(WAYS[way]("long")[1].candidates[0].finish_reason, types.FinishReason.MAX_TOKENS)
    same(WAYS[way]("forbidden words")[1].candidates[0].finish_reason, types.FinishReason.SAFETY)


@case
def structured_output():
    config = {"response_mime_type": "application/json", "response_schema": Person}
    answer = client.models.generate_content(model="gemini-x", contents="as json", config=config)
    same(answer.parsed, Person(name="Ada", age=36))


@case
def picture():
    image = types.Part.from_bytes(data=b"\x89PNG", mime_type="image/png")
    same(text(generate([image, "what is in the picture"])[0]), "A cat.")


@each(*WAYS)
def unicode_text(way):
    same(text(WAYS[way]("unicode")[0]), "Grüße — 🦀 日本")


@each("401", "403", "404", "413", "422", "429")
def client_errors(status):
    same(raises(errors.ClientError, lambda: generate(f"error {status}")).code, int(status))


@each("500", "529")
def server_errors(status):
    same(raises(errors.ServerError, lambda: generate(f"error {status}")).code, int(status))


@case
def out_of_credits():
    same(raises(errors.ClientError, lambda: generate("no money")).status, "RESOURCE_EXHAUSTED")


@case
def retries():
    options = types.HttpOptions(base_url=URL, retry_options=types.HttpRetryOptions(attempts=5, initial_delay=0.01))
    patient = genai.Client(api_key="any", http_options=options)
    same(patient.models.generate_content(model="gemini-x", contents="flaky google").text, "At last.")


@case
def truncated():
    raises(Exception, lambda: stream("cut off"))


@case
def malformed():
    raises(Exception, lambda: stream("garbage"))


@case
def timeout():
    hasty = genai.Client(api_key="any", http_options={"base_url": URL, "timeout": 500})
    raises(Exception, lambda: hasty.models.generate_content(model="gemini-x", contents="silence"))


@case
def counts_tokens():
    assert client.models.count_tokens(model="gemini-x", contents="hello").total_tokens > 0


@case
def models():
    same([model.name for model in client.models.list()], ["models/scripted"])
    same(client.models.get(model="gemini-x").name, "models/gemini-x")


@case
def many_at_once():
    with ThreadPoolExecutor(10) as pool:
        same(list(pool.map(lambda number: text(stream(f"hello {number}")[0]), range(20))), ["Hi there."] * 20)


@case
def async_client():
    import asyncio

    async def ask():
        return (await client.aio.models.generate_content(model="gemini-x", contents="hello")).text

    same(asyncio.run(ask()), "Hi there.")


main()
