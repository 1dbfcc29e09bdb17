import anthropic
from anthropic import beta_tool
from concurrent.futures import ThreadPoolExecutor

from cases import URL, case, each, main, raises, same

client = anthropic.Anthropic(base_url=URL, api_key="any", max_retries=0, timeout=20)
TOOL = {
    "name": "get_weather",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}},
}


def create(prompt, client=client, **more):
    messages = prompt if isinstance(prompt, list) else [{"role": "user", "content": prompt}]
    return client.messages.create(**{"model": "claude-x", "max_tokens": 2000, "messages": messages, **more})


def stream(prompt, **more):
    messages = prompt if isinstance(prompt, list) else [{"role": "user", "content": prompt}]
    with client.messages.stream(**{"model": "claude-x", "max_tokens": 2000, "messages": messages, **more}) as events:
        return events.get_final_message()


WAYS = {"create": create, "stream": stream}


def text(message):
    return "".join(block.text for block in message.content if block.type == "text")


@each(*WAYS)
def says(way):
    message = WAYS[way]("hello")
    same(text(message), "Hi there.")
    same((message.role, message.stop_reason), ("assistant", "end_turn"))


@each(*WAYS)
def system_prompt(way):
    same(text(WAYS[way]("who are you", system="You are a pirate.")), "Arrr.")


@each(*WAYS)
def no_system_prompt(way):
    same(text(WAYS[way]("who are you")), "An assistant.")


@each(*WAYS)
def turns(way):
    messages = []
    answers = []
    for prompt in ["login", "ann " + way, "1234"]:
        messages.append({"role": "user", "content": prompt})
        message = WAYS[way](messages)
        messages.append({"role": "assistant", "content": message.content})
        answers.append(text(message))
    same(answers, ["Name?", "Password?", "Welcome."])


def run_tools(prompt, way):
    messages = [{"role": "user", "content": prompt}]
    asked = []
    for _ in range(5):
        message = WAYS[way](messages, tools=[TOOL])
        uses = [block for block in message.content if block.type == "tool_use"]
        asked.append([use.input["city"] for use in uses])
        if not uses:
            return asked, text(message)
        results = [{"type": "tool_result", "tool_use_id": use.id, "content": "3 degrees"} for use in uses]
        messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]


@each(*WAYS)
def one_tool(way):
    same(run_tools("weather", way), ([["Oslo"], []], "It is cold."))


@each(*WAYS)
def parallel_tools(way):
    same(run_tools("compare", way), ([["Oslo", "Rome"], []], "Rome is warmer."))


@case
def parallel_tools_switched_off():
    message = create("compare", tools=[TOOL], tool_choice={"type": "auto", "disable_parallel_tool_use": True})
    same(len([block for block in message.content if block.type == "tool_use"]), 1)


@each(*WAYS)
def thinking(way):
    message = WAYS[way]("ponder", thinking={"type": "enabled", "budget_tokens": 1024})
    same([block.type for block in message.content], ["thinking", "text"])
    same(message.content[0].thinking, "Step by step.")


@case
def no_thinking_unless_asked():
    same([block.type for block in create("ponder").content], ["text"])


@each(*WAYS)
def usage(way):
    used = WAYS[way]("count").usage
    same((used.input_tokens, used.output_tokens), (11, 7))


@each(*WAYS)
def stop_reasons(way):
    same(WAYS[way]("long").stop_reason, "max_tokens")
    same(WAYS[way]("forbidden words").stop_reason, "refusal")


@case
def structured_output():
    from pydantic import BaseModel

    class Person(BaseModel):
        name: str
        age: int

    message = client.messages.parse(
        model="claude-x",
        max_tokens=100,
        messages=[{"role": "user", "content": "as json"}],
        output_format=Person,
    )
    same(message.parsed_output, Person(name="Ada", age=36))


@case
def image_and_document():
    png = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
    pdf = {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}
    content = [
        {"type": "image", "source": png},
        {"type": "document", "source": pdf},
        {"type": "text", "text": "what is in the picture"},
    ]
    same(text(create([{"role": "user", "content": content}])), "A cat.")


@each(*WAYS)
def unicode_text(way):
    same(text(WAYS[way]("unicode")), "Grüße — 🦀 日本")


@case
def text_stream_in_tokens():
    with client.messages.stream(
        model="claude-x", max_tokens=100, messages=[{"role": "user", "content": "token by token"}]
    ) as events:
        pieces = list(events.text_stream)
    same("".join(pieces), "one two three four five")
    assert len(pieces) > 3, pieces


@each(
    ("401", anthropic.AuthenticationError),
    ("403", anthropic.PermissionDeniedError),
    ("404", anthropic.NotFoundError),
    ("413", anthropic.RequestTooLargeError),
    ("422", anthropic.UnprocessableEntityError),
    ("429", anthropic.RateLimitError),
    ("500", anthropic.InternalServerError),
    ("529", anthropic.OverloadedError),
)
def errors(pair):
    status, kind = pair
    error = raises(kind, lambda: create(f"error {status}"))
    same(error.status_code, int(status))
    assert raises(kind, lambda: stream(f"error {status}"))


@case
def out_of_credits():
    error = raises(anthropic.BadRequestError, lambda: create("no money"))
    assert "credit balance" in str(error), error


@case
def retries():
    patient = client.with_options(max_retries=4)
    same(text(create("flaky", patient)), "At last.")


@case
def retries_after_a_broken_connection():
    same(text(create("broken connection", client.with_options(max_retries=2))), "Again.")


@case
def truncated():
    raises((anthropic.APIError, Exception), lambda: stream("cut off"))


@case
def malformed():
    raises(Exception, lambda: stream("garbage"))


@case
def timeout():
    raises(anthropic.APITimeoutError, lambda: create("silence", client.with_options(timeout=0.5)))


@case
def counts_tokens():
    counted = client.messages.count_tokens(model="claude-x", messages=[{"role": "user", "content": "hello"}])
    assert counted.input_tokens > 0


@case
def models():
    same([model.id for model in client.models.list()], ["scripted"])
    same(client.models.retrieve("claude-x").id, "claude-x")


@case
def tool_runner():
    @beta_tool
    def get_weather(city: str) -> str:
        """Reports the weather.

        Args:
            city: the city
        """
        return "3 degrees in " + city

    runner = client.beta.messages.tool_runner(
        model="claude-x",
        max_tokens=100,
        tools=[get_weather],
        messages=[{"role": "user", "content": "compare"}],
    )
    same(text(runner.until_done()), "Rome is warmer.")


@case
def many_at_once():
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda number: text(stream(f"hello {number}")), range(40)))
    same(answers, ["Hi there."] * 40)


@case
def async_client():
    import asyncio

    async def ask():
        async with anthropic.AsyncAnthropic(base_url=URL, api_key="any") as client:
            messages = [{"role": "user", "content": "hello"}]
            async with client.messages.stream(model="claude-x", max_tokens=9, messages=messages) as events:
                return text(await events.get_final_message())

    same(asyncio.run(ask()), "Hi there.")


main()
